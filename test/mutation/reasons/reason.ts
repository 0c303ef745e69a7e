/** Changes that make no difference to anyone, all for one reason. */
export interface Reason {
  because: string;
  changes: readonly (readonly [file: string, line: string, from: string, to: string])[];
}
