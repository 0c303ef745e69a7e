import type { Command } from './command.ts';

const deletions: Record<string, Omit<Command, 'section'>> = {
  run: {
    summary: 'delete Machines on a local platform, or serve a real cluster from here',
    isLocal: true,
    async load() {
      const { run: start } = await import('./run/run.ts');
      const { optionsOfRun: options } = await import('./options.ts');
      const { runProse: prose } = await import('./help.ts');
      return { start, options, prose };
    },
  },
  plan: {
    summary: 'say what deleting a Machine, or each of many, would do, without doing it',
    takes: 'machine',
    async load() {
      const { plan: start } = await import('./plan/plan.ts');
      const { planOptions: options } = await import('./plan/options.ts');
      const { planProse: prose } = await import('./help.ts');
      return { start, options, prose };
    },
  },
  status: {
    summary: 'list the Machines that are being deleted, the worst first',
    async load() {
      const { status: start } = await import('./status/status.ts');
      const { statusOptions: options } = await import('./status/options.ts');
      const { statusProse: prose } = await import('./help.ts');
      return { start, options, prose };
    },
  },
  explain: {
    summary: 'say what holds a deletion, who has to act, and what to do',
    takes: 'machine',
    async load() {
      const { explain: start, explainOptions: options } = await import('./explain/explain.ts');
      const { explainProse: prose } = await import('./help.ts');
      return { start, options, prose };
    },
  },
  hooks: {
    summary: 'list the hooks on Machines: who holds what, since when, and what is wrong with them',
    async load() {
      const { hooks: start, hooksOptions } = await import('./hooks/hooks.ts');
      const { passOptions } = await import('./hooks/pass.ts');
      const { hooksProse: prose } = await import('./look-help.ts');
      return { start, options: { ...hooksOptions, because: passOptions.because }, prose };
    },
  },
  history: {
    summary: 'say who decided what, when and why, also of Machines that are gone',
    takes: 'machine',
    async load() {
      const { history: start } = await import('./history/history.ts');
      const { historyOptions: options } = await import('./history/options.ts');
      const { historyProse: prose } = await import('./look-help.ts');
      return { start, options, prose };
    },
  },
  page: {
    summary: 'show deletions and plans in your browser, for you alone',
    async load() {
      const { page: start, pageOptions: options } = await import('./page/page.ts');
      const { pageProse: prose } = await import('./look-help.ts');
      return { start, options, prose };
    },
  },
};

const ownHooks: Record<string, Omit<Command, 'section'>> = {
  hook: {
    summary: 'write a function that a Machine waits for, and test one that runs',
    async load() {
      const { hook: start, hookOptions: options, hookVerbs: words } = await import('./hook/command.ts');
      const { hookProse: prose } = await import('./hook/help.ts');
      return { start, options, words, prose };
    },
  },
};

const installation: Record<string, Omit<Command, 'section'>> = {
  package: {
    summary: 'write the manifests of an installation on Knative',
    async load() {
      const { packageManifests: start, packageOptions: options } = await import('./package/package.ts');
      const { packageProse: prose } = await import('./install-help.ts');
      return { start, options, prose };
    },
  },
  deploy: {
    summary: 'install it in a cluster, or bring it up to date, and wait until it is ready',
    async load() {
      const { deployCommand: start, deployOptions: options } = await import('./deploy/command.ts');
      const { deployProse: prose } = await import('./install-help.ts');
      return { start, options, prose };
    },
  },
  release: {
    summary: 'take the hook that holds a Machine of Cluster API for phaseout off again',
    takes: 'machines',
    async load() {
      const { releaseCommand: start, releaseOptions: options } = await import('./release/command.ts');
      const { releaseProse: prose } = await import('./install-help.ts');
      return { start, options, prose };
    },
  },
  remove: {
    summary: 'take it away again',
    async load() {
      const { removeCommand: start, removeOptions: options } = await import('./remove/command.ts');
      const { removeProse: prose } = await import('./install-help.ts');
      return { start, options, prose };
    },
  },
};

const shell: Record<string, Omit<Command, 'section'>> = {
  completion: {
    summary: 'write what makes a shell complete these commands',
    async load() {
      const { completionCommand, shells: words } = await import('./completion/command.ts');
      const { completionProse: prose } = await import('./help.ts');
      return { start: (...given) => completionCommand(...given, commands), options: {}, words, prose };
    },
  },
};

/** All commands by their names, in the order in which they are told. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ...Object.entries(deletions).map(within('Deletions')),
  ...Object.entries(ownHooks).map(within('Hooks of your own')),
  ...Object.entries(installation).map(within('An installation')),
  ...Object.entries(shell).map(within('Your shell')),
]);

function within(section: Command['section']) {
  return ([name, command]: [string, Omit<Command, 'section'>]): [string, Command] => [
    name,
    { ...command, section },
  ];
}
