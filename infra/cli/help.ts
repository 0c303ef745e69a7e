import { managementKinds, openShiftKinds, workloadKinds } from '../local/given/commands.ts';
import type { Prose } from './command.ts';

/** How a Machine is named. */
export const naming = `A Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE. Where a cluster has one of that name in several Machine APIs, say
which is meant: capi:NAMESPACE/NAME (cluster.x-k8s.io), openshift:NAMESPACE/NAME (machine.openshift.io) or
v1alpha1:NAMESPACE/NAME (cluster.k8s.io).
`;

/** A dump takes in the owners of Pods: without them nothing says how many there should be. */
const dumps = `Dumps that take in all that decides: of a management and of a workload cluster, of one that has its own Machines, and
of OpenShift.

  kubectl get ${managementKinds} -A -o yaml > management.yaml
  kubectl --kubeconfig workload.kubeconfig get ${workloadKinds} -A -o yaml > workload.yaml

  kubectl get ${managementKinds},${workloadKinds} -A -o yaml > dump.yaml

  oc get ${openShiftKinds} -A -o yaml > openshift.yaml
`;

export const runProse: Prose = {
  head: `phaseout run [options]

Starts a whole cluster in this process (a Kubernetes API, its controllers, a Broker, a store and the functions) with an
example fleet, deletes Machines of it and shows how that goes. It listens on 127.0.0.1 only. In a terminal the page of the
example stays until Ctrl-C; elsewhere it ends by itself.`,
  tail: `${naming}
Variables named PHASEOUT_..., and NODE_NAME, configure the functions as they do when deployed. Servers of openshift and
v1alpha1 Machines are kept by a provider of the local platform, or by the one that PHASEOUT_ACTUATOR_URL names.

With --kubeconfig the history of a deletion ends with this process. The next run goes on from the Machine, and tells of
the Pods that were evicted before it and are still on their way.

Exit code: 0 when the Machines are gone, and when Ctrl-C ended it while it served, or while the page stayed; 1 when they are not
gone in time, cannot be deleted or do not exist, or the cluster cannot be reached; 2 when the command line, a variable, a
kubeconfig or a manifest is wrong; 130 when it was interrupted before they were gone.

${dumps}
  phaseout run --example openshift
  phaseout run --mode beside
  phaseout run --mode observe --example v1alpha1
  phaseout run --load management.yaml --load-workload workload.yaml --delete fleet/worker-7
  phaseout run --load dump.yaml --delete fleet/worker-7
  phaseout run --serve
`,
};

export const planProse: Prose = {
  head: `phaseout plan NAMESPACE/NAME [options]
phaseout plan --all | -l SELECTOR | --cluster NAME | --machine-deployment NAME | --machine-set NAME [options]

Says what deleting the Machine would do: which phases, which Pods in which order, what would be refused and why. Where the
deletion has begun it goes on from there: phases that are passed are shown so, and time limits count from their starts.
Nothing is written anywhere. Without options it looks at the cluster of your current context. Where there is no kubeconfig it
takes the example fleet of Cluster API, and says so in its first line.

Of many it judges each Machine alone, now. goes: nothing holds it. held: somebody has to act. waits: it goes on by itself, later.
unknown: what decides was not read. Machines with one holder are a group, with the object to change, its owner and a command.`,
  tail: `${naming}
What you may not read is said on standard error, and what depends on it is unknown.

Exit code: 0 when there is a plan, whatever it says, but of many, and with --exit-code, only when all go: then 4 when one is held
or waits, and 5 when something that decides was not read; 1 when there is no such Machine, or what the plan needs cannot be read;
2 when the command line, a variable, a kubeconfig or a manifest is wrong; 130 when Ctrl-C, typed twice, ended it.

${dumps}
  phaseout plan fleet/worker-7
  phaseout plan fleet/worker-7 --load management.yaml --load-workload workload.yaml
  phaseout plan fleet/worker-7 --load dump.yaml
  phaseout plan openshift-machine-api/worker-a --load openshift.yaml
  phaseout plan fleet/worker-1 --example
  phaseout plan --machine-deployment workers -n fleet
  phaseout plan --all --load management.yaml --load-workload fleet/blue=blue.yaml fleet/green=green.yaml
`,
};

export const statusProse: Prose = {
  head: `phaseout status [options]

Lists every Machine that is being deleted, the worst first: its phase, what it waits for, who has to act, and for how long its
phase lasts. It does so in all modes, also where the API's own controller deletes the Machine. It asks for one list of each
Machine API, reads no Machine by itself, and writes nothing. The last line is the command that says more of the worst one.
In a terminal text is wrapped: where columns have no room, each Machine has a few lines. What was done to a dump, and what could
not be read, goes to standard error, each sentence once; as data it is inside.`,
  tail: `held: somebody else than who deletes the Machine has to act. late: longer than 15 minutes in its phase. progressing: neither.

With an option of the history the store is asked too: -o wide then says when each Machine is looked at next, not only
within how many seconds.

Exit code: 0 when there is a list, and when Ctrl-C ended --watch; 1 when the Machines cannot be listed; 2 when the command line,
a variable, a kubeconfig or a manifest is wrong; 130 when Ctrl-C, typed twice, ended it.

  phaseout status
  phaseout status --by blocker
  phaseout status -n fleet --watch
`,
};

export const explainProse: Prose = {
  head: `phaseout explain NAMESPACE/NAME [options]

Says where the deletion of the Machine stands, what holds it and who has to act, whether that ends by itself, when it is given
up, and what to do: commands to copy, the harmless first. It does so in all modes, also where the API's own controller deletes
the Machine. Of a Machine that is not being deleted it says what would hold it. The last tries come from the history. Nothing is
written anywhere.`,
  tail: `${naming}
What you may not read is said on standard error, and what depends on it is unknown. Nothing depends on the history.

Of a Machine that is not there it says how its deletion ended, where the history can be read, and names the command that has all
of it: exit code 1.

Exit code: 0 when nothing holds the deletion, or there is none; 4 when it is held; 5 when what decides could not be read; 1 when
the Machine does not exist or cannot be read; 2 when the command line, a variable, a kubeconfig or a manifest is wrong; 130
when Ctrl-C, typed twice, ended it.

  phaseout explain fleet/worker-7
  phaseout explain fleet/worker-7 --context management --workload-context blue
`,
};

export const completionProse: Prose = {
  head: `phaseout completion SHELL

Writes what makes a shell complete the commands, their options and what those take: for bash, zsh or fish. Put the line of
your shell into its start-up file. kubectl completes \`kubectl phaseout\` by itself where kubectl_complete-phaseout, which
comes with the package, is on the PATH.

Contexts come from your kubeconfig. Names of Machines and namespaces come from the cluster that the line leads to, as far as you
may list them; after two seconds none are offered.

  phaseout completion -- WORDS...   what may stand in place of the last word, a line each; the last line says whether a
                                    file may (:0) or not (:4), as kubectl reads it`,
  tail: `Exit code: 0 when it is written; 2 when there is nothing for that shell.

  source <(phaseout completion bash)
  phaseout completion fish | source
`,
};
