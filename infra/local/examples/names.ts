/** The example fleets: one of each Machine API, and one of Cluster API whose Machines wait for a function. */
export const exampleNames = ['capi', 'openshift', 'v1alpha1', 'hooks'] as const;
/** One of them. */
export type ExampleName = (typeof exampleNames)[number];
