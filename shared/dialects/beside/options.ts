/** What an installation beside the API's own controller looks after. */
export interface BesideOptions {
  /** Tells several installations of one cluster apart; empty where there is one. */
  installation: string;
  /** Hooks of others that go after ours: they hold nothing of our part. Whole annotations, or what follows the slash. */
  hooksAfter: readonly string[];
  /** Labels of the Machines that get our hook. */
  selects(labels: Readonly<Record<string, string>>): boolean;
  /** Whether control plane Machines get it too. */
  controlPlanes: boolean;
  /** Whether Machines of MachinePools get it too. */
  machinePools: boolean;
  /** Where phaseout itself and its store run, if that is known. */
  ownNamespace?: string | undefined;
  /** Whether a Machine that is excluded from drains is drained all the same. */
  drainsExcluded: boolean;
}
