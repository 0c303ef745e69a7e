/** What `open` opens is closed again if it fails. */
export async function opened<T>(open: (closing: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const closing = new AsyncDisposableStack();
  try {
    return await open(closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}
