import { runCa } from '../../src/ca/run-ca.ts';

/** One step of the ceremony as the command does it, with all it says. */
export async function ca(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const line = (text = '') => void said.push(text);
  const code = await runCa(args, { env, cwd: '/', line, complain: line });
  return { code, said: said.join('\n') };
}
