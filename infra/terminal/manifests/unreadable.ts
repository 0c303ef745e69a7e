/** A manifest that cannot be used. The message names the file, the document and what is wrong. */
export class ManifestUnreadable extends Error {
  override readonly name = 'ManifestUnreadable';
}
