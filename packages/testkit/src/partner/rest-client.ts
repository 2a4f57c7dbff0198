import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
/** Credentials of a partner, as `stack.json` contains them for each partner of the embedded stack. */
export interface PartnerCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
}

export interface RestAnswer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON, else empty. */
  readonly body: T;
  readonly text: string;
}

export interface RestClient {
  /** Makes a request. A token is fetched once and again shortly before it ends; `token: null` sends none. */
  request<T = Record<string, unknown>>(options: {
    method?: string;
    path: string;
    query?: Record<string, string>;
    json?: unknown;
    headers?: Record<string, string>;
    token?: string | null;
  }): Promise<RestAnswer<T>>;
  get<T = Record<string, unknown>>(path: string, query?: Record<string, string>): Promise<RestAnswer<T>>;
  post<T = Record<string, unknown>>(path: string, json: unknown): Promise<RestAnswer<T>>;
  token(): Promise<string>;
}

/** Creates a REST client like a partner's back end; errors are answers like any other. */
export function createRestClient(options: {
  baseUrl: string;
  partner: Pick<PartnerCredentials, 'clientId' | 'clientSecret'>;
}): RestClient {
  const { baseUrl, partner } = options;
  let cached: { token: Promise<string>; until: number } | undefined;
  const token = () => {
    if (cached === undefined || cached.until < Date.now()) {
      const fetched = fetchToken(baseUrl, partner);
      cached = { token: fetched, until: Date.now() + 20 * MINUTE_MS };
      // A failed sign-in must not be cached.
      fetched.catch(() => {
        cached = undefined;
      });
    }
    return cached.token;
  };
  const request: RestClient['request'] = async ({ method, path, query, json, headers, token: given }) => {
    const bearer = given === undefined ? await token() : given;
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const response = await fetch(`${baseUrl}${path}${search}`, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return readAnswer(response);
  };
  return {
    request,
    token,
    get: (path, query) => request({ path, ...(query === undefined ? {} : { query }) }),
    post: (path, json) => request({ path, json }),
  };
}

async function fetchToken(
  baseUrl: string,
  { clientId, clientSecret }: Pick<PartnerCredentials, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const { status, body, text } = await readAnswer<{ access_token?: string }>(response);
  if (body.access_token === undefined) throw new Error(`no access token (${status}): ${text}`);
  return body.access_token;
}

async function readAnswer<T>(response: Response): Promise<RestAnswer<T>> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as T,
  };
}
