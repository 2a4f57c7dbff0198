import type { StackInfo } from '@rubrica/stack';

/** Signs in the first administrator, whose changes here need no second one. */
export async function signInAdministrator({ trpcUrl, operators }: StackInfo) {
  const call = async (path: string, input: object, token?: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${trpcUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(input),
    });
    return readData(path, response);
  };
  const { accessToken } = await call('auth.signIn', operators.admin);
  const token = String(accessToken);
  return {
    change: (path: string, input: object) => call(path, input, token),
    async ask(path: string, input: object): Promise<Record<string, unknown>> {
      const url = new URL(`${trpcUrl}/${path}`);
      url.searchParams.set('input', JSON.stringify(input));
      return readData(path, await fetch(url, { headers: { authorization: `Bearer ${token}` } }));
    },
  };
}

async function readData(path: string, response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { result: { data: Record<string, unknown> } }).result.data;
}
