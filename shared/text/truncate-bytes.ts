const encoder = new TextEncoder();

/** At most so many bytes of UTF-8, with `...` where something is missing. Never splits a character. */
export function cutToBytes(text: string, bytes: number): string {
  if (encoder.encode(text).length <= bytes) return text;
  const ending = '...';
  const { read } = encoder.encodeInto(text, new Uint8Array(bytes - ending.length));
  return `${text.slice(0, read)}${ending}`;
}
