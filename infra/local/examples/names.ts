/** The example fleets. Those after the Machine APIs are of Cluster API: Machines wait for a function, or for a place. */
export const exampleNames = ['capi', 'openshift', 'v1alpha1', 'hooks', 'policies'] as const;
/** One of them. */
export type ExampleName = (typeof exampleNames)[number];
