/** What proves to the provider who we are. Never logged, never part of an error. */
export interface TokenSource {
  /** Throws Unavailable. */
  current(): Promise<string>;
  /** The provider no longer takes this token: read the file again. */
  forget(): void;
}
