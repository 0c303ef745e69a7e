/** A mistake that a real system made, as a small change of our own code. The suite has to notice it. */
export interface Exhibit {
  /** Its place in the museum; never given to another one. */
  number: number;
  /** Repository and number of the report. */
  from: string;
  /** What went wrong, in one sentence. */
  mistake: string;
  /** The file that the mistake is made in, relative to the repository. */
  file: string;
  edits: readonly Edit[];
  /** Test files, relative to the repository. At least one must fail. Few, so that a visit is quick. */
  tests: readonly string[];
}

export interface Edit {
  /** Stands in the file exactly once. */
  text: string;
  instead: string;
}
