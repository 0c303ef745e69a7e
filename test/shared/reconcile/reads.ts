/** A read that answers 1, 2, 3 ... */
export function counting() {
  let count = 0;
  return { read: async () => (count += 1), count: () => count };
}

/** Reads that end when they are told to. */
export function held() {
  const begun: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = () =>
    new Promise<string>((answer, fail) => {
      begun.push({ answer, fail });
    });
  return { begun, read };
}

/** Lets promises that need nothing else go on. */
export const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};
