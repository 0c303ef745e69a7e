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
