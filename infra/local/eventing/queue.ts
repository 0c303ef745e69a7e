/** Runs one piece of work after the other, in the order they were handed in. The work must not throw. */
export function createQueue(): (work: () => Promise<void>) => void {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(work);
  };
}
