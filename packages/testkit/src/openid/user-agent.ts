/** A browser without scripts, with its own cookies; only `follow` follows redirects. */
export interface UserAgent {
  request(address: string, init?: RequestInit): Promise<Response>;
  /**
   * Follows redirects.
   * @returns the first redirect to an address that starts with `until`, which is not requested, or else the last answer
   */
  follow(answer: Response, until: string): Promise<URL | Response>;
}

const maxRedirects = 20;

/** Creates an agent with cookies by origin: enough, since each server is one origin. */
export function createUserAgent(): UserAgent {
  const jar = new Map<string, Map<string, string>>();
  const request: UserAgent['request'] = async (address, init = {}) => {
    const { origin } = new URL(address);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) storeCookie(cookies, set);
    return answer;
  };
  return {
    request,
    async follow(first, until) {
      let answer = first;
      for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
        const location = answer.headers.get('location');
        if (location === null) return answer;
        const next = new URL(location, answer.url);
        if (next.href.startsWith(until)) return next;
        answer = await request(next.href);
      }
      throw new Error(`more than ${maxRedirects} redirects from ${first.url}`);
    },
  };
}

function storeCookie(cookies: Map<string, string>, set: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(set) ?? [];
  const isEnded = value === '' || /;\s*(max-age=0\b|expires=Thu, 01 Jan 1970)/i.test(set);
  if (isEnded) cookies.delete(name);
  else cookies.set(name, value);
}

interface AtProvider {
  readonly authorizationUrl: string;
  /** Subject of the person who signs in; empty to cancel. */
  readonly subject: string;
  readonly redirectUri: string;
}

/**
 * Signs in on the provider's page.
 * @returns the address to which it redirects the browser, with its answer
 */
export async function signInAtProvider(
  agent: UserAgent,
  { authorizationUrl, subject, redirectUri }: AtProvider,
): Promise<URL> {
  const page = await agent.follow(await agent.request(authorizationUrl), redirectUri);
  if (page instanceof URL) return page;
  if (!page.ok) throw new Error(`the provider answered ${page.status}: ${await page.text()}`);
  const body = new URLSearchParams({ subject });
  const back = await agent.follow(await agent.request(page.url, { method: 'POST', body }), redirectUri);
  if (back instanceof URL) return back;
  throw new Error(`the provider leads nowhere: ${back.status} ${await back.text()}`);
}
