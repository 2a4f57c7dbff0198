import { runInNewContext } from 'node:vm';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Event {
  readonly listen: 'prerequest' | 'test';
  readonly script: { readonly exec: readonly string[] };
}
export interface PostmanItem {
  readonly name: string;
  readonly event?: readonly Event[];
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header: readonly Pair[];
    readonly url: { readonly raw: string; readonly variable?: readonly Pair[] };
    readonly body?: { readonly mode: string; readonly raw?: string; readonly urlencoded?: readonly Pair[] };
  };
}
export interface Collection {
  readonly event: readonly Event[];
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly name: string; readonly item: readonly PostmanItem[] }[];
}
export interface PostmanAnswer {
  readonly status: number;
  readonly text: string;
}

/** As much of Postman as the collection uses: variables, scripts, and the collection's token. */
export function createPostmanClient(collection: Collection, settings: Readonly<Record<string, string>>) {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(settings)) variables.set(key, value);
  const complaints: string[] = [];
  const failed: string[] = [];
  const test = (name: string, check: () => void) => {
    try {
      check();
    } catch (error) {
      failed.push(`${name}: ${String(error)}`);
    }
  };
  const console = { error: (text: string) => void complaints.push(text) };
  // No two readings are the same, as between clicks of a person.
  let readings = 0;
  const clock = { now: () => Date.now() + readings++ };
  const resolve = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_all, name) => variables.get(name) ?? '');
  const run = async (item: PostmanItem, listen: Event['listen'], response?: unknown) => {
    const pending: Promise<unknown>[] = [];
    const pm = {
      variables: { get: (name: string) => variables.get(name) },
      collectionVariables: { set: (name: string, value: string) => void variables.set(name, value) },
      sendRequest: (asked: TokenRequest, done: Done) => void pending.push(sendRequest(asked, done)),
      response,
      info: { requestName: item.name },
      test,
    };
    for (const { listen: when, script } of [...collection.event, ...(item.event ?? [])])
      if (when === listen) runInNewContext(script.exec.join('\n'), { pm, console, Date: clock });
    await Promise.all(pending);
  };
  return {
    variables,
    /** What scripts wrote to the console. */
    complaints,
    /** Tests of the collection that failed. */
    failed,
    async send(item: PostmanItem): Promise<PostmanAnswer> {
      await run(item, 'prerequest');
      const { method, header, url, body } = item.request;
      const headers = new Headers(header.map(({ key, value }) => [key, value]));
      const authorization = authorizationOf(item, variables);
      if (authorization !== undefined) headers.set('authorization', authorization);
      const content = body?.urlencoded
        ? new URLSearchParams(
            body.urlencoded.map(({ key, value }): [string, string] => [key, resolve(value)]),
          )
        : body?.raw && resolve(body.raw);
      const response = await fetch(resolve(placed(url)), {
        method,
        headers,
        ...(content ? { body: content } : {}),
      });
      const text = await response.text();
      await run(item, 'test', scriptedResponse(response, text));
      return { status: response.status, text };
    },
  };
}

/** Parts of the path stand as `:name`. */
function placed({ raw, variable = [] }: PostmanItem['request']['url']): string {
  return variable.reduce((text, { key, value }) => text.replace(`/:${key}`, `/${value}`), raw);
}

function authorizationOf({ request }: PostmanItem, variables: ReadonlyMap<string, string>) {
  if (request.auth?.type === 'noauth') return undefined;
  if (request.auth?.type === 'basic')
    return `Basic ${btoa(`${variables.get('clientId')}:${variables.get('clientSecret')}`)}`;
  return `Bearer ${variables.get('accessToken')}`;
}

interface TokenRequest {
  readonly url: string;
  readonly method: string;
  readonly header: Record<string, string>;
  readonly body: { readonly urlencoded: readonly Pair[] };
}
type Done = (error: unknown, response?: ReturnType<typeof scriptedResponse>) => void;

async function sendRequest({ url, method, header, body }: TokenRequest, done: Done): Promise<void> {
  const form = new URLSearchParams(body.urlencoded.map(({ key, value }): [string, string] => [key, value]));
  const response = await fetch(url, { method, headers: header, body: form });
  done(null, scriptedResponse(response, await response.text()));
}

function scriptedResponse(response: Response, text: string) {
  return {
    code: response.status,
    headers: { get: (name: string) => response.headers.get(name) },
    text: () => text,
    json: () => JSON.parse(text),
    // Whether a body has its form is tried with a real runner, on the whole stack.
    to: { have: { jsonSchema: () => undefined } },
  };
}
