/** What asks as a browser without scripts does, with its own cookies; redirects are followed by `follow` alone. */
export interface UserAgent {
  request(address: string, init?: RequestInit): Promise<Response>;
  /** @returns the first redirect to an address that begins with `until`, which is not asked, or else the last answer */
  follow(answer: Response, until: string): Promise<URL | Response>;
}

const mostRedirects = 20;

/** Cookies by origin: enough where each server is one. */
export function createUserAgent(): UserAgent {
  const jar = new Map<string, Map<string, string>>();
  const request: UserAgent['request'] = async (address, init = {}) => {
    const { origin } = new URL(address);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) keep(cookies, set);
    return answer;
  };
  return {
    request,
    async follow(first, until) {
      let answer = first;
      for (let redirects = 0; redirects < mostRedirects; redirects += 1) {
        const location = answer.headers.get('location');
        if (location === null) return answer;
        const next = new URL(location, answer.url);
        if (next.href.startsWith(until)) return next;
        answer = await request(next.href);
      }
      throw new Error(`more than ${mostRedirects} redirects from ${first.url}`);
    },
  };
}

function keep(cookies: Map<string, string>, set: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(set) ?? [];
  const isEnded = value === '' || /;\s*(max-age=0\b|expires=Thu, 01 Jan 1970)/i.test(set);
  if (isEnded) cookies.delete(name);
  else cookies.set(name, value);
}

interface AtProvider {
  readonly authorizationUrl: string;
  /** Who signs in; empty to break off. */
  readonly subject: string;
  readonly redirectUri: string;
}

/** Signs in on the provider's page. @returns where it sends the browser back to, with its answer */
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
