import { pollFor } from '../poll-for.ts';

export interface PageForm {
  readonly action: string;
  /** Fields with the values from the page; an unticked box is included with none. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ClaimPage {
  readonly status: number;
  readonly url: string;
  readonly html: string;
  readonly headers: Headers;
  readonly forms: readonly PageForm[];
}

export interface ClaimClient {
  /** Follows the link, as a person does with a new mail. */
  open(): Promise<ClaimPage>;
  /**
   * Requests a code.
   * @returns the page on which it is entered
   */
  sendCode(): Promise<ClaimPage>;
  /** Reads the newest code that the catcher has for an address or number. */
  readCode(mailUrl: string, to: string): Promise<string>;
  /**
   * Sends the claim as one form.
   * @returns progress, or the form again with its faults
   */
  claim(values: {
    code: string;
    password: string;
    confirmation?: string;
    accept?: boolean;
  }): Promise<ClaimPage>;
  /** Reloads until the download is offered. */
  awaitDownload(deadlineMs?: number): Promise<ClaimPage>;
  /**
   * Downloads the `.p12`.
   * @throws Error with the page if none comes
   */
  download(code: string): Promise<Buffer>;
}

/** Creates an applicant with a claim link, whose program knows the interface's forms and stores no cookies. */
export function createClaimClient(options: { link: string; language?: 'es' | 'en' }): ClaimClient {
  const { link, language = 'es' } = options;
  const headers = { accept: 'text/html', 'accept-language': language };
  const open = async () => readPage(await fetch(link, { headers }));
  const send = (below: '' | '/code' | '/download', values: Record<string, string> = {}) =>
    fetch(below === '' ? link : new URL(`${new URL(link).pathname}${below}`, link), {
      method: 'POST',
      headers,
      body: new URLSearchParams(values),
    });
  return {
    open,
    sendCode: async () => readPage(await send('/code')),
    readCode: (mailUrl, to) => readCode(mailUrl, to),
    claim: async ({ code, password, confirmation = password, accept = true }) =>
      readPage(
        await send('', {
          code,
          password,
          passwordConfirmation: confirmation,
          ...(accept ? { acceptTerms: 'true' } : {}),
        }),
      ),
    awaitDownload: (deadlineMs = 60_000) =>
      pollFor(
        async () => {
          const page = await open();
          // The process that creates the file accepts no forms.
          return page.forms.some(({ action }) => /\/(code|download)$/.test(readPath(action))) && page;
        },
        { deadlineMs, everyMs: 250, what: 'the page that offers the download' },
      ),
    async download(code) {
      const answer = await send('/download', { code });
      if (answer.headers.get('content-type') === 'application/x-pkcs12') {
        return Buffer.from(await answer.arrayBuffer());
      }
      throw new Error(`no file (${answer.status}): ${(await answer.text()).slice(0, 2_000)}`);
    },
  };
}

async function readPage(response: Response): Promise<ClaimPage> {
  const html = await response.text();
  const { status, url, headers } = response;
  return { status, url, html, headers, forms: readForms(html) };
}

function readPath(action: string): string {
  return new URL(action, 'http://claim.invalid').pathname;
}

const formShape = /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs;
const inputShape = /<input ([^>]*)>/g;

function readForms(html: string): PageForm[] {
  return [...html.matchAll(formShape)].map(([, action = '', content = '']) => {
    const inputs = [...content.matchAll(inputShape)].map(([, attributes = '']) => attributes);
    const fields = inputs.map((attributes): [string, string] => {
      const isUnticked = attribute(attributes, 'type') === 'checkbox' && !/\schecked\b/.test(attributes);
      return [attribute(attributes, 'name'), isUnticked ? '' : attribute(attributes, 'value')];
    });
    return { action: unescapeHtml(action), fields: Object.fromEntries(fields) };
  });
}

function attribute(attributes: string, name: string): string {
  return unescapeHtml(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function unescapeHtml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

async function readCode(mailUrl: string, to: string): Promise<string> {
  return pollFor(
    async () => {
      const answer = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to })}`);
      const messages = (await answer.json()) as { text: string }[];
      return messages.map(({ text }) => /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0]).find(Boolean);
    },
    { what: `a code for ${to}` },
  );
}
