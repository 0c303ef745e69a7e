/** As many as one reads at a glance. */
export const most = 3;

/** The words that somebody may have meant who typed another one, the nearest first. */
export function nearTo(word: string, words: Iterable<string>): string[] {
  const near = [...new Set(words)].map((each) => ({ each, apart: apartOf(word, each) }));
  return near
    .filter(({ apart }) => apart <= farthest(word) && apart < word.length)
    .toSorted((one, other) => one.apart - other.apart)
    .slice(0, most)
    .map(({ each }) => each);
}

/** One mistake for each three signs, and three at most: farther words are others. */
const farthest = (word: string): number => Math.min(3, Math.max(1, Math.floor(word.length / 3)));

/** A word that only begins is as near as one with a mistake. */
function apartOf(word: string, other: string): number {
  const distance = editDistance(word.toLowerCase(), other.toLowerCase());
  return word.length > 1 && other.startsWith(word) ? Math.min(1, distance) : distance;
}

/** How many signs are added, left out, changed, or swapped with the next one. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, current];
  }
  return at(last, other.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

/** Behind what is wrong: `. Did you mean a, b or c?`; nothing where no word is near. */
export function didYouMean(near: readonly string[]): string {
  if (near.length === 0) return '';
  const words = near.length === 1 ? near[0] : `${near.slice(0, -1).join(', ')} or ${near.at(-1)}`;
  return `. Did you mean ${words}?`;
}
