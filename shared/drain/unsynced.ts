/** Whether an answer to an eviction says that its budget could not be computed, in the API server's words. */
export const isUnsynced = (text: string): boolean => / because it failed sync/.test(text);
