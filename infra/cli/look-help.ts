import type { Prose } from './command.ts';
import { naming } from './help.ts';

export const historyProse: Prose = {
  head: `phaseout history NAMESPACE/NAME | UID [options]
phaseout history --node NAME | --pod NAMESPACE/NAME | --since TIME [options]

Says who decided what, when and why, also of Machines that are gone: the history is kept for 30 days, and what was tried
with each Pod for 7. Machines that had one name after the other are told apart, the newest first. It only reads.`,
  tail: `There is no other way: the page in the cluster shows histories in a browser, and no command asks it.

${naming}
The history of a deletion by an older version has nothing that leads to it from a name, a Node, a Pod or a time: it is
found by the UID of the Machine.

Exit code: 0 when there is a history; 1 when the store has none of that; 2 when the command line or a kubeconfig is wrong;
3 when no store could be read, which says nothing of what is in it; 130 when Ctrl-C, typed twice, ended it.

  phaseout history fleet/worker-7
  phaseout history --since 2h --table phaseout --region eu-central-1
`,
};

export const hooksProse: Prose = {
  head: `phaseout hooks [options]
       phaseout hooks pass NAMESPACE/MACHINE NAME --because TEXT

Lists every hook on every Machine, those that hold a deletion first: its point, its owner, for how long it has held, by when it
was put on and by whom, and the template that puts it on. It warns of keys that no controller takes for hooks, of hooks in
templates of Cluster API, and of hooks that have held for more than 15 minutes without any Event of their owner on the Machine. A
DeletionHook with setBy Others says of one who can help, and after how long to warn. Then come the functions that Machines
wait for: since when, how often asked, their last words, who can help, and what comes after their time.
It only reads: one list for each Machine API and each kind of template, one of Events, and one of DeletionHooks.

pass lets a Machine go on that waits for the function of the DeletionHook NAME: nothing else waits for that function then.
The history of the Machine says who did so, and why. You need the right to patch Machines.`,
  tail: `What was done to a dump, and what could not be read, goes to standard error; as data it is inside.

ON SINCE is unknown where no field manager owns the hook: a policy has put it on, or the dump was made without
--show-managed-fields. HOLDS is the time that the Machine itself says (Cluster API 1.14 and later), or at most the time since its
deletion was asked for.

Exit code: 0 when there is an answer, whatever it says; 1 when the Machines cannot be read; 2 when the command line, a variable,
a kubeconfig or a manifest is wrong; 130 when Ctrl-C, typed twice, ended it.

  phaseout hooks -n fleet -o json
  phaseout hooks pass fleet/worker-1 take-out-osd --because 'the disk is lost'
`,
};

export const pageProse: Prose = {
  head: `phaseout page [options]

Serves a page on 127.0.0.1 and prints its address. It shows what is being deleted, what holds it, and what deleting a living
Machine would do. Only the browser that opens the whole address sees anything. It reads with your credentials, and only
while somebody has the page open; it writes nothing. Without options it shows the cluster of your current context.`,
  tail: `Exit code: 0 when Ctrl-C ended it; 1 when the port is taken or the cluster cannot be reached; 2 when the command line, a
variable, a kubeconfig or a manifest is wrong.

  phaseout page --context production
  phaseout page --port 8099 --load dump.yaml
`,
};
