import { naming } from './help.ts';

export const historyHelp = `phaseout history NAMESPACE/NAME | UID [options]
phaseout history --node NAME | --pod NAMESPACE/NAME | --since TIME [options]

Says who decided what, when and why, also of Machines that are gone: the history is kept for 30 days, and what was tried
with each Pod for 7. Machines that had one name after the other are told apart, the newest first. It only reads.

  --node NAME             Machines that had this Node
  --pod NAMESPACE/NAME    Machines whose Node a Pod of this name was to leave, and what came of that
  --since TIME            only what was decided in the last 30m, 2h or 3d; alone, of all Machines
  -o, --output json       as JSON

It is read from the first of these that answers:

  --table NAME, --endpoint URL, --region REGION
                          a table of DynamoDB, with the credentials that AWS's own tools would use; where one of these
                          is given nothing else is asked. "phaseout run --serve" names the endpoint of its own store
  (otherwise)             the store that the functions of a cluster use, by the ConfigMap that they read; one in the
                          cluster itself through a port-forward
  --installed-in NAME     the namespace of the functions, if it is not phaseout
  --kubeconfig FILE       the cluster, if it is not the one that kubectl would ask
  --context NAME          of the kubeconfig, if not its current one

There is no other way: the page in the cluster shows histories in a browser, and no command asks it.

  --load PATH..., --load-workload PATH..., --example API
                          a dump of a cluster, and an example fleet, have no history: exit code 3

${naming}
The history of a deletion by an older version has nothing that leads to it from a name, a Node, a Pod or a time: it is
found by the UID of the Machine.

Exit code: 0 when there is a history; 1 when the store has none of that; 2 when the command line or a kubeconfig is wrong;
3 when no store could be read, which says nothing of what is in it; 130 when Ctrl-C, typed twice, ended it.

  phaseout history fleet/worker-7
  phaseout history --since 2h --table phaseout --region eu-central-1
`;

export const hooksHelp = `phaseout hooks [options]

Lists every hook on every Machine, those that hold a deletion first: its point, its owner, for how long it has held, by when it
was put on and by whom, and the template that puts it on. It warns of keys that no controller takes for hooks, of hooks in
templates of Cluster API, and of hooks that have held for more than 15 minutes without any Event of their owner on the Machine.
It only reads: one list for each Machine API and each kind of template, and one of Events.

  -n, --namespace NAME    only Machines of this namespace
  --kubeconfig FILE       the cluster, if it is not the one that kubectl would ask
  --context NAME          of the kubeconfig, if not its current one
  --load PATH..., --load-workload [NAMESPACE/CLUSTER=]PATH...
                          look at manifests or a dump of a cluster (files or folders, YAML or JSON)
  --example API           look at the example fleet of: capi, openshift or v1alpha1
  -o, --output json       as JSON

ON SINCE is unknown where no field manager owns the hook: a policy has put it on, or the dump was made without
--show-managed-fields. HOLDS is the time that the Machine itself says (Cluster API 1.14 and later), or at most the time since its
deletion was asked for.

Exit code: 0 when there is an answer, whatever it says; 1 when the Machines cannot be read; 2 when the command line, a variable,
a kubeconfig or a manifest is wrong; 130 when Ctrl-C, typed twice, ended it.

  phaseout hooks
  phaseout hooks -n fleet -o json
`;

export const pageHelp = `phaseout page [options]

Serves a page on 127.0.0.1 and prints its address. It shows what is being deleted, what holds it, and what deleting a living
Machine would do. Only the browser that opens the whole address sees anything. It reads with your credentials, and only
while somebody has the page open; it writes nothing. Without options it shows the cluster of your current context.

  --port PORT             listen there; any free port by default
  -n, --namespace NS      only the Machines of this namespace, for who may not list those of all
  --kubeconfig FILE       show the cluster that FILE leads to
  --context NAME          of the kubeconfig, if not its current one
  --workload-kubeconfig FILE, --workload-context NAME
                          the way to the Nodes, in place of the kubeconfig Secret of a Cluster
  --example API           show the example fleet of: capi, openshift or v1alpha1
  --load PATH...          show manifests or a dump of a cluster
  --load-workload [NAMESPACE/CLUSTER=]PATH...
                          the same of a workload cluster
  --table NAME, --endpoint URL, --region REGION, --installed-in NAMESPACE
                          where the history is, as for phaseout history: by default where the functions have it

Exit code: 0 when Ctrl-C ended it; 1 when the port is taken or the cluster cannot be reached; 2 when the command line, a
variable, a kubeconfig or a manifest is wrong.

  phaseout page --context production
  phaseout page --port 8099 --load dump.yaml
`;
