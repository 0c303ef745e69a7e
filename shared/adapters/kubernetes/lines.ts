/** No object comes near this size; a longer line is no watch event. */
const longestLine = 32 * 1024 * 1024;

/** Complete lines only: what follows the last line end was cut off and is not passed on. */
export async function* completeLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new Error('a line of the watch is too long');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
