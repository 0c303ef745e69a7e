import type { Prose } from './command.ts';

export const packageProse: Prose = {
  head: `phaseout package --image IMAGE [options]

Writes everything that serverless.yml asks of a cluster with Knative as manifests, for kubectl or a kustomization.`,
  tail: `Exit code: 0 when they are written; 1 when the folder holds anything else; 2 when the command line or serverless.yml is
wrong.

What follows: kubectl apply --server-side --force-conflicts -k .phaseout/manifests
and once the command that it prints, which makes the key of DeletionHooks.

  phaseout package --image registry.example.com/phaseout:0.1.0 --machine-apis capi
  phaseout package --image registry.example.com/phaseout:0.1.0 --namespaces fleet --policies --out gitops/phaseout
`,
};

export const deployProse: Prose = {
  head: `phaseout deploy --image IMAGE [options]

Installs phaseout in a cluster with Knative, or brings what is there up to date: looks what the cluster serves, asks it
about every object before any is changed, applies them server-side, removes what an earlier version had and this one has
not, and waits until each is ready. Objects that already match stay as they are. It makes the key of DeletionHooks once,
and never changes it. Give every --set again each time: it warns of variables that lose their value, and refuses to lose
that of PHASEOUT_TABLE, PHASEOUT_DYNAMODB_ENDPOINT, PHASEOUT_ACTUATOR_URL, PHASEOUT_MODE or PHASEOUT_INSTALLATION. It
finds out whether the API's own controller runs, and refuses a mode that does not fit.`,
  tail: `Exit code: 0 when all is ready, or when the dry run went through; 1 when the cluster is not fit for it, refuses something or
cannot be reached, or something is not ready in time; 2 when the command line, a kubeconfig or serverless.yml is wrong;
130 when it was interrupted.

  phaseout deploy --image registry.example.com/phaseout:0.1.0 --dry-run
  phaseout deploy --image registry.example.com/phaseout:0.1.0 --set AWS_REGION=eu-west-1 --namespaces fleet
`,
};

export const releaseProse: Prose = {
  head: `phaseout release NAMESPACE/NAME... [options]
phaseout release --all [options]

Takes phaseout's hooks off Machines, so that the own controller of their API no longer waits for phaseout. It
works without phaseout. A Machine that is being deleted goes on at once, and is drained by that controller. A living one
is marked with the annotation phaseout.dev/released, and does not get the hook again until somebody takes that away.
A hook that is not phaseout's stays. A Machine that names a Node which is not known to be its own is held, since its own
controller would delete that Node: --all leaves such Machines and names them. One that you name goes, and that Node with it.
Functions of DeletionHooks that were to be asked are named, and --yes releases their Machines all the same.
Machines that are made later get the hook as long as phaseout is installed.`,
  tail: `Exit code: 0 when all were released that have the hook, or when the dry run went through; 1 when one could not be released
or does not exist, or the cluster cannot be reached; 2 when the command line or a kubeconfig is wrong; 130 when it was
interrupted.

  phaseout release fleet/worker-7
  phaseout release --all --dry-run
`,
};

export const removeProse: Prose = {
  head: `phaseout remove [options]

Takes phaseout away, in an order in which nothing new begins, and waits until it is gone. Refuses to while a Machine is
being deleted. The table, the volume of DynamoDB Local and the definitions of MachineDrainRules, DeletionHooks and
DrainPolicies stay. So does the namespace if it was there before deploy, or was made by kubectl from the manifests, or holds
anything else. The Secret with the key of DeletionHooks goes if deploy made it.

Beside the API's own controllers it takes its hooks off all Machines, and those controllers go on with those that are
being deleted. It stops before that where such a controller would delete a Node that is not known to be the Machine's own.
It says which templates of OpenShift have the hook. It ends when two lists in a row show no hook, and names the Machines that
keep it.`,
  tail: `Exit code: 0 when it is gone, or was not there; 1 when a Machine is being deleted, something does not go or the cluster
cannot be reached; 2 when the command line, a kubeconfig or serverless.yml is wrong; 130 when it was interrupted.

  phaseout remove
  phaseout remove --context management --with-data
`,
};
