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

A dump of a cluster (--load) and an example fleet (--example) have no history.

${naming}
The history of a deletion by an older version has nothing that leads to it from a name, a Node, a Pod or a time: it is
found by the UID of the Machine.

Exit code: 0 when there is a history; 1 when the store has none of that; 2 when the command line or a kubeconfig is wrong;
3 when no store could be read, which says nothing of what is in it; 130 when Ctrl-C, typed twice, ended it.

  phaseout history fleet/worker-7
  phaseout history --since 2h --table phaseout --region eu-central-1
`;
