import type { Prose } from '../command.ts';

/** What the help of `phaseout hook` says around its options. */
export const hookProse: Prose = {
  head: `phaseout hook new NAME [options]
phaseout hook test URL [options]

A DeletionHook holds a Machine that is being deleted until a function says Done. \`new\` writes such a function into the folder
NAME: it runs without packages, and has a test, a Dockerfile, and the DeletionHook, Trigger and Service to apply. \`test\` holds
a function that runs to the contract: it calls it as the Broker would, with turns of its own, and shows what breaks the contract.
It asks no cluster. A function that sends its answers later, to the Broker, is tested with --broker.`,
  tail: `Without --call the calls are about a Machine that does not exist. With it the function does its work for the Machine of that
file: machine with apiVersion, kind, namespace, name and uid, and as wanted node, cluster, place and hook.

Exit code: 0 when the files are written, or the function keeps to the contract; 1 when they cannot be written, or it does not;
2 when the command line or a file is wrong; 130 when it was interrupted.

  phaseout hook new take-out-osd --language python -n fleet
  phaseout hook test http://127.0.0.1:8080 --broker 8090
  phaseout hook test http://127.0.0.1:8080 --proof 'ceph osd safe-to-destroy osd.7'
`,
};
