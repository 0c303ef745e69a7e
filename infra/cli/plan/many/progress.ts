import type { Outside } from '../../../terminal/outside.ts';

const eraseLine = '\r\u001B[K';

/** Says how far a look at many Machines has come. */
interface Progress {
  /** One more is done. */
  add: () => void;
  close: () => void;
}

/** On standard error, in a terminal alone: what reads the answer gets the answer. */
export function openProgress(count: number, { stderr }: Pick<Outside, 'stderr'>): Progress {
  if (stderr.isTTY !== true) return { add: () => undefined, close: () => undefined };
  let done = 0;
  const draw = (): unknown => stderr.write(`${eraseLine}${done} of ${count} Machines are judged`);
  draw();
  return {
    add() {
      done += 1;
      draw();
    },
    close: () => void stderr.write(eraseLine),
  };
}
