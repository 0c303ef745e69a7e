/** What proves to the provider who we are. Never logged, never part of an error. */
export interface TokenSource {
  /** Throws Unavailable. */
  current(): Promise<string>;
  /** The provider no longer takes it: the next one is read anew. */
  forget(): void;
}
