/** One variable of the environment. */
export interface ConfigVariable {
  name: string;
  /** As one would write it; empty where there is none. */
  default: string;
  meaning: string;
}
