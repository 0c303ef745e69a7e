const rendering = `  --image IMAGE           of the functions, as the cluster's Nodes can pull it
  --machine-apis NAMES    with commas between them: capi, openshift, v1alpha1`;

const more = `  --namespace NAME        where everything is installed (default: phaseout)
  --namespaces NAMES      where the Machines are: what is needed only there is allowed only there (default: everywhere)
  --broker-class CLASS    MTChannelBasedBroker (for trials), Kafka, RabbitMQBroker, or what the cluster has by default
  --dynamodb-local        bring a store along, for clusters without AWS
  --mode MODE             beside (default): the own controllers of Cluster API and OpenShift go on, and wait for
                          phaseout's hook; replace: in their place; observe: only watch, and write nothing; or one for
                          each Machine API: capi:beside,v1alpha1:observe
  --set NAME=VALUE...     variables of the functions, over those of serverless.yml
  --file FILE             another serverless.yml than phaseout's own`;

const cluster = `  --kubeconfig FILE       of the cluster; otherwise KUBECONFIG names it, or ~/.kube/config
  --context NAME          of the kubeconfig, if not its current one
  -o, --output json       one JSON object per line instead of text`;

export const packageHelp = `phaseout package [options]

Writes everything that serverless.yml asks of a cluster with Knative as manifests, for kubectl or a kustomization.

${rendering}; capi-v1beta1 where Cluster API serves no newer one
                          (default: capi, openshift and v1alpha1)
${more}
  --drain-rules           with the definition of MachineDrainRules, for clusters without Cluster API
  --policies              with the admission policies (Kubernetes 1.30)
  --out DIR               the folder (default: .phaseout/manifests)

Exit code: 0 when they are written; 1 when the folder holds anything else; 2 when the command line or serverless.yml is
wrong.

What follows: kubectl apply --server-side --force-conflicts -k .phaseout/manifests

  phaseout package --image registry.example.com/phaseout:0.1.0 --machine-apis capi
  phaseout package --image registry.example.com/phaseout:0.1.0 --namespaces fleet --policies --out gitops/phaseout
`;

export const deployHelp = `phaseout deploy --image IMAGE [options]

Installs phaseout in a cluster with Knative, or brings what is there up to date: looks what the cluster serves, asks it
about every object before any is changed, applies them server-side, removes what an earlier version had and this one has
not, and waits until each is ready. Objects that already match stay as they are. Give every --set again each time:
it warns of variables that lose their value, and refuses to lose that of PHASEOUT_TABLE, PHASEOUT_DYNAMODB_ENDPOINT,
PHASEOUT_ACTUATOR_URL, PHASEOUT_MODE or PHASEOUT_INSTALLATION. It finds out whether the API's own controller runs, and
refuses a mode that does not fit.

${rendering}
                          (default: those that the cluster serves)
${more}
  --no-drain-rules        without the definition of MachineDrainRules, where the cluster has none
  --no-policies           without the admission policies
  --all-namespaces        for the Machines of all namespaces, where it was installed with --namespaces
                          (Machines that it left to others so far, of another API or watch filter, it takes only where
                          --machine-apis or --set PHASEOUT_WATCH_FILTER=... says so)
  --abandon               even while Machines are being deleted that would no longer be looked after, because there are
                          fewer --machine-apis or --namespaces, or another watch filter: they stay as they are

  --dry-run               only say what would be created, changed and removed
  --force-mode            in a mode that does not fit what runs in the cluster
  --let-go-of-others-nodes  also where a Machine is let go whose own controller then deletes a Node that is not known
                          to be its own
  --force-conflicts       take fields that belong to others
  --timeout SECONDS       how long to wait until all is ready (default: 600; 0 is for ever)

${cluster}

Exit code: 0 when all is ready, or when the dry run went through; 1 when the cluster is not fit for it, refuses something or
cannot be reached, or something is not ready in time; 2 when the command line, a kubeconfig or serverless.yml is wrong;
130 when it was interrupted.

  phaseout deploy --image registry.example.com/phaseout:0.1.0 --dry-run
  phaseout deploy --image registry.example.com/phaseout:0.1.0 --set AWS_REGION=eu-west-1 --namespaces fleet
`;

export const releaseHelp = `phaseout release NAMESPACE/NAME... [options]
phaseout release --all [options]

Takes phaseout's pre-drain hook off Machines of Cluster API, so that its own controller no longer waits for phaseout. It
works without phaseout. A Machine that is being deleted goes on at once, and is drained by that controller. A living one
is marked with the annotation phaseout.dev/released, and does not get the hook again until somebody takes that away.
A hook that is not phaseout's stays. A Machine that names a Node which is not known to be its own is held, since its own
controller would delete that Node: --all leaves such Machines and names them. One that you name goes, and that Node with it.
Machines that are made later get the hook as long as phaseout is installed.

  --all                   all Machines that have the hook
  --namespace NAME        with --all: those of one namespace
  --installation NAME     whose hook: the name of the installation, if it has one (PHASEOUT_INSTALLATION)
  --dry-run               only say which Machines would be released

${cluster}

Exit code: 0 when all were released that have the hook, or when the dry run went through; 1 when one could not be released
or does not exist, or the cluster cannot be reached; 2 when the command line or a kubeconfig is wrong; 130 when it was
interrupted.

  phaseout release fleet/worker-7
  phaseout release --all --dry-run
`;

export const removeHelp = `phaseout remove [options]

Takes phaseout away, in an order in which nothing new begins, and waits until it is gone. Refuses to while a Machine is
being deleted. The table, the volume of DynamoDB Local and the definition of MachineDrainRules stay. So does the namespace
if it was there before deploy, or was made by kubectl from the manifests, or holds anything else.

Beside the API's own controllers it takes its hooks off all Machines, and those controllers go on with those that are
being deleted. It stops before that where such a controller would delete a Node that is not known to be the Machine's own. It says which templates of OpenShift have the hook. It ends when two lists in a row show no hook, and names the Machines that keep it.

  --namespace NAME        where it is installed (default: phaseout)
  --abandon               even while Machines are being deleted, or keep the hook: they stay as they are
  --let-go-of-others-nodes  also where a Machine is let go whose own controller then deletes a Node that is not known
                          to be its own
  --with-data             with the volume of DynamoDB Local, and with the definition of MachineDrainRules and all of them
  --file FILE             another serverless.yml than phaseout's own

${cluster}

Exit code: 0 when it is gone, or was not there; 1 when a Machine is being deleted, something does not go or the cluster
cannot be reached; 2 when the command line, a kubeconfig or serverless.yml is wrong; 130 when it was interrupted.

  phaseout remove
  phaseout remove --context management --with-data
`;
