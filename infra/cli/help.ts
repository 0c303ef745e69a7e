export const help = `phaseout takes Kubernetes Machines out of service.

  phaseout run     delete Machines on a local platform, or serve a real cluster from here
  phaseout plan    say what deleting a Machine would do, without doing it

  phaseout COMMAND --help    all options of a command
  phaseout --version
`;

export const runHelp = `phaseout run [options]

Starts a whole cluster in this process (a Kubernetes API, its controllers, a Broker, a store and the functions) with an
example fleet, deletes the Machine fleet/worker-1 and shows how that goes. It listens on 127.0.0.1 only.

  --load PATH...          instead of the example: manifests or a dump of a cluster (files or folders, YAML or JSON)
  --delete NS/NAME...     the Machines to delete; with --load by default those that were being deleted
  --serve                 keep running, for kubectl; deletes nothing that --delete does not name
  --timeout SECONDS       give up after so long (default: 120 locally, never with --kubeconfig; 0 is never)
  -o, --output json       one JSON object per line instead of text

  --kubeconfig FILE       instead of a local cluster: run the functions here for the cluster that FILE leads to
  --context NAME          of the kubeconfig, if not its current one

Variables named PHASEOUT_... configure the functions as they do when deployed.
Exit code: 0 when the Machines are gone, 1 when they are not, 2 when the command line or a manifest is wrong.

  phaseout run --load dump.yaml --delete fleet/worker-7
  phaseout run --serve
`;

export const planHelp = `phaseout plan NAMESPACE/NAME [options]

Says what deleting the Machine would do: which phases, which Pods in which order, what would be refused and why. Nothing
is written anywhere. Without options it looks at the example fleet.

  --load PATH...          look at manifests or a dump of a cluster (files or folders, YAML or JSON)
  --kubeconfig FILE       look at the cluster that FILE leads to
  --context NAME          of the kubeconfig, if not its current one
  -o, --output json       the plan as JSON

  kubectl get machines,clusters,machinedrainrules,nodes,pods,pdb,daemonsets,namespaces,pv,volumeattachments \\
    -A -o yaml > dump.yaml
  phaseout plan fleet/worker-7 --load dump.yaml
`;
