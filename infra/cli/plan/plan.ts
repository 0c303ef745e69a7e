import type { Outside } from '../outside.ts';
export async function plan(_args: readonly string[], _outside: Outside): Promise<number> {
  return 0;
}
