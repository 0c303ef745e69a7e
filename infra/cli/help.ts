import { managementKinds, openShiftKinds, workloadKinds } from '../local/given/commands.ts';

export const help = `phaseout takes Kubernetes Machines out of service.

  phaseout run     delete Machines on a local platform, or serve a real cluster from here
  phaseout plan    say what deleting a Machine would do, without doing it
  phaseout status  list the Machines that are being deleted, the worst first
  phaseout explain say what holds a deletion, who has to act, and what to do
  phaseout hooks   list the hooks on Machines: who holds what, since when, and what is wrong with them
  phaseout history say who decided what, when and why, also of Machines that are gone
  phaseout page    show deletions and plans in your browser, for you alone

  phaseout package write the manifests of an installation on Knative
  phaseout deploy  install it in a cluster, or bring it up to date, and wait until it is ready
  phaseout release take the hook that holds a Machine of Cluster API for phaseout off again
  phaseout remove  take it away again

  phaseout completion SHELL  write what makes a shell complete these commands

  phaseout COMMAND --help    all options of a command
  phaseout --version
`;

/** How a Machine is named. */
export const naming = `A Machine is named NAMESPACE/NAME. Where a cluster has one of that name in several Machine APIs, say which is meant:
capi:NAMESPACE/NAME (cluster.x-k8s.io), openshift:NAMESPACE/NAME (machine.openshift.io) or v1alpha1:NAMESPACE/NAME
(cluster.k8s.io).
`;

/** A dump takes in the owners of Pods: without them nothing says how many there should be. */
const dumps = `Dumps that take in all that decides: of a management and of a workload cluster, of one that has its own Machines, and
of OpenShift.

  kubectl get ${managementKinds} -A -o yaml > management.yaml
  kubectl --kubeconfig workload.kubeconfig get ${workloadKinds} -A -o yaml > workload.yaml

  kubectl get ${managementKinds},${workloadKinds} -A -o yaml > dump.yaml

  oc get ${openShiftKinds} -A -o yaml > openshift.yaml
`;

export const runHelp = `phaseout run [options]

Starts a whole cluster in this process (a Kubernetes API, its controllers, a Broker, a store and the functions) with an
example fleet, deletes Machines of it and shows how that goes. It listens on 127.0.0.1 only.

  --example API           the Machine API of the fleet: capi (default), openshift or v1alpha1
  --load PATH...          instead of an example: manifests or a dump of a cluster (files or folders, YAML or JSON); of
                          the management cluster, or of the only one
  --load-workload [NAMESPACE/CLUSTER=]PATH...
                          the same of a workload cluster: then no Node or Pod of --load counts for that Cluster
  --mode MODE             with Machines of Cluster API or OpenShift: beside runs the API's own controllers too, which go
                          on where phaseout hands a Machine over, and says in the end what they would have taken alone;
                          replace (default) does it all. With Machines of any API: observe only watches its own controller,
                          and writes nothing. With --kubeconfig, as that cluster has its controller running or not
  --delete NS/NAME...     the Machines to delete; with --load by default those that were being deleted
  --serve                 keep running, for kubectl; deletes nothing that --delete does not name
  --timeout SECONDS       stop after SECONDS (0 = no limit; default: 120 locally, none with --kubeconfig)
  --timeline              show the phases of each Machine that ends; with --kubeconfig its end is one line otherwise
  -o, --output json       one JSON object per line instead of text, with the timelines in the last one

  --kubeconfig FILE       instead of a local cluster: run the functions here for the cluster that FILE leads to
  --context NAME          of the kubeconfig, if not its current one

${naming}
Variables named PHASEOUT_..., and NODE_NAME, configure the functions as they do when deployed. Servers of openshift and
v1alpha1 Machines are kept by a provider of the local platform, or by the one that PHASEOUT_ACTUATOR_URL names.

With --kubeconfig the history of a deletion ends with this process. The next run goes on from the Machine, and tells of
the Pods that were evicted before it and are still on their way.

Exit code: 0 when the Machines are gone, and when Ctrl-C ended it while it served; 1 when they are not gone in time,
cannot be deleted or do not exist, or the cluster cannot be reached; 2 when the command line, a variable, a kubeconfig
or a manifest is wrong; 130 when it was interrupted before they were gone.

${dumps}
  phaseout run --example openshift
  phaseout run --mode beside
  phaseout run --mode observe --example v1alpha1
  phaseout run --load management.yaml --load-workload workload.yaml --delete fleet/worker-7
  phaseout run --load dump.yaml --delete fleet/worker-7
  phaseout run --serve
`;

export const planHelp = `phaseout plan NAMESPACE/NAME [options]

Says what deleting the Machine would do: which phases, which Pods in which order, what would be refused and why. Where the
deletion has begun it goes on from there: phases that are passed are shown so, and time limits count from their starts.
Nothing is written anywhere. Without options it looks at the example fleet of Cluster API, and as kubectl phaseout at the
cluster of your current context.

  --example API           look at the example fleet of: capi, openshift or v1alpha1
  --load PATH...          look at manifests or a dump of a cluster (files or folders, YAML or JSON): of the management
                          cluster, or of the only one
  --load-workload [NAMESPACE/CLUSTER=]PATH...
                          the same of a workload cluster: then no Node or Pod of --load counts for that Cluster
  --kubeconfig FILE       look at the cluster that FILE leads to
  --context NAME          of that kubeconfig, or of your own (KUBECONFIG, else ~/.kube/config)
  --workload-kubeconfig FILE, --workload-context NAME
                          look at Nodes and Pods through this kubeconfig or context, where you may not read the Secret
                          <cluster>-kubeconfig
  -o, --output json       the plan as JSON

${naming}
What you may not read is said under the plan, and what depends on it is unknown.

Exit code: 0 when there is a plan, whatever it says; 1 when the Machine does not exist, or what the plan needs cannot be
read; 2 when the command line, a variable, a kubeconfig or a manifest is wrong; 130 when Ctrl-C, typed twice, ended it.

${dumps}
  phaseout plan fleet/worker-7 --load management.yaml --load-workload workload.yaml
  phaseout plan fleet/worker-7 --load dump.yaml
  phaseout plan openshift-machine-api/worker-a --load openshift.yaml
`;

/** Where the commands that look at what there is look, for their help. */
const places = `  --kubeconfig FILE       look at the cluster that FILE leads to; without it your own (KUBECONFIG, else ~/.kube/config)
  --context NAME          of that kubeconfig, if not its current one
  --workload-kubeconfig FILE, --workload-context NAME
                          look at Nodes and Pods through this kubeconfig or context, where you may not read the Secret
                          <cluster>-kubeconfig
  --load PATH...          look at manifests or a dump of a cluster (files or folders, YAML or JSON)
  --load-workload [NAMESPACE/CLUSTER=]PATH...
                          the same of a workload cluster
  --example API           look at the example fleet of: capi, openshift or v1alpha1
`;

/** Of `phaseout status`. */
export const statusHelp = `phaseout status [options]

Lists every Machine that is being deleted, the worst first: its phase and for how long, who has to act, when it is looked at
next, when its phase is given up, and what it waits for. It does so in all modes, also where the API's own controller deletes
the Machine. It asks for one list of each Machine API, reads no Machine by itself, and writes nothing.

  -A, --all-namespaces    the Machines of all namespaces: the default
  -n, --namespace NAME    those of one namespace
  -w, --watch             go on: a list that is redrawn as it changes, until Ctrl-C
${places}  --table NAME, --endpoint URL, --region REGION, --installed-in NAMESPACE
                          with one of these the store is asked, as by phaseout history: the list says when each Machine is
                          looked at next, not only within how many seconds
  -o, --output json       one JSON object; with --watch one in a line for each change

held: somebody else than who deletes the Machine has to act. late: longer than 15 minutes in its phase. goes: neither.

Exit code: 0 when there is a list, and when Ctrl-C ended --watch; 1 when the Machines cannot be listed; 2 when the command line,
a variable, a kubeconfig or a manifest is wrong; 130 when Ctrl-C, typed twice, ended it.

  phaseout status
  phaseout status -n fleet --watch
`;

/** Of `phaseout explain`. */
export const explainHelp = `phaseout explain NAMESPACE/NAME [options]

Says where the deletion of the Machine stands, what holds it and who has to act, whether that ends by itself, when it is given
up, and what to do: commands to copy, the harmless first. It does so in all modes, also where the API's own controller deletes
the Machine. Of a Machine that is not being deleted it says what would hold it. The last tries come from the history. Nothing is
written anywhere.

${places}  --table NAME, --endpoint URL, --region REGION, --installed-in NAMESPACE
                          where the history is, as for phaseout history: by default where the functions have it
  -o, --output json       the explanation as JSON, with all that was tried

${naming}
What you may not read is said under the answer, and what depends on it is unknown. Nothing depends on the history.

Exit code: 0 when nothing holds the deletion, or there is none; 4 when it is held; 5 when what decides could not be read; 1 when
the Machine does not exist or cannot be read; 2 when the command line, a variable, a kubeconfig or a manifest is wrong; 130
when Ctrl-C, typed twice, ended it.

  phaseout explain fleet/worker-7
  phaseout explain fleet/worker-7 --context management --workload-context blue
`;

export const completionHelp = `phaseout completion SHELL

Writes what makes a shell complete the commands, their options and what those take: for bash, zsh or fish. Put the line of
your shell into its start-up file. kubectl completes \`kubectl phaseout\` by itself where kubectl_complete-phaseout, which
comes with the package, is on the PATH.

  phaseout completion -- WORDS...   what may stand in place of the last word, a line each; the last line says whether a
                                    file may (:0) or not (:4), as kubectl reads it

Exit code: 0 when it is written; 2 when there is nothing for that shell.

  source <(phaseout completion bash)
  phaseout completion fish | source
`;
