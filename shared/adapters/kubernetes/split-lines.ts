/** No object comes near this size; a longer line is no watch event. */
const longestLine = 32 * 1024 * 1024;

/** Complete lines only: what follows the last line end was cut off and is not passed on. */
export async function* completeLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  // Put together once it is whole: at every chunk that would cost its length again, and the process stands still meanwhile.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    pieces.push(first);
    length += first.length;
    const rest = others.pop();
    const lines = rest === undefined ? [] : [pieces.join(''), ...others];
    if (rest !== undefined) {
      pieces = [rest];
      length = rest.length;
    }
    if (length > longestLine) throw new Error('a line of the watch is too long');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
