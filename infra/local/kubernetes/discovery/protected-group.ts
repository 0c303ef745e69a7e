/** By this a definition says that it may use a group of the Kubernetes project, or that it does without leave. */
export const approvalAnnotation = 'api-approved.kubernetes.io';

/** Whether a group is the Kubernetes project's own: `cluster.k8s.io` is, `cluster.x-k8s.io` is not. */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
