/** A browser without scripts: it knows links, forms and cookies, and follows what it is led to. */
export interface FormBrowser {
  open(url: string): Promise<FormPage>;
  post(url: string, fields?: Record<string, string>): Promise<FormPage>;
  readonly cookies: ReadonlyMap<string, string>;
  /** As they were set, with their attributes. */
  readonly setCookies: readonly string[];
}

export interface FormPage {
  readonly status: number;
  /** Below the origin. */
  readonly path: string;
  readonly text: string;
  readonly headers: Headers;
}

const mostRedirects = 5;

export function formBrowser(language: 'es' | 'en' = 'es'): FormBrowser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      setCookies.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0(;|$)/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function go(url: string, init: RequestInit, redirects = 0): Promise<FormPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', 'accept-language': language, cookie };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    keep(answer.headers);
    const location = answer.headers.get('location');
    if (location !== null && redirects < mostRedirects) {
      return go(new URL(location, url).href, {}, redirects + 1);
    }
    const { status, headers: received } = answer;
    return { status, path: new URL(url).pathname, text: await answer.text(), headers: received };
  }

  return {
    cookies,
    setCookies,
    open: (url) => go(url, {}),
    post: (url, fields = {}) => go(url, { method: 'POST', body: new URLSearchParams(fields) }),
  };
}
