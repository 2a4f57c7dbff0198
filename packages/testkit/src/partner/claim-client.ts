import { pollFor } from '../poll-for.ts';

export interface PageForm {
  readonly action: string;
  /** Fields with the values that the page gave them; a box that is not ticked is there with none. */
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
  /** Follows the link, as a person does who has just got the mail. */
  open(): Promise<ClaimPage>;
  /** Asks for a code and gives the page that says where it went. */
  sendCode(): Promise<ClaimPage>;
  /** The newest code that the catcher holds for an address or number. */
  readCode(mailUrl: string, to: string): Promise<string>;
  /** Sends the claim; the answer is progress, or the form again with its faults. */
  claim(values: {
    code: string;
    password: string;
    confirmation?: string;
    accept?: boolean;
  }): Promise<ClaimPage>;
  /** Reloads until the download is offered. */
  awaitDownload(deadlineMs?: number): Promise<ClaimPage>;
  /** The `.p12`. @throws Error with the page where none comes */
  download(code: string): Promise<Buffer>;
}

/** An applicant with a claim link and a browser that knows forms and links alone. */
export function createClaimClient(options: { link: string; language?: 'es' | 'en' }): ClaimClient {
  const { link, language = 'es' } = options;
  const headers = { accept: 'text/html', 'accept-language': language };
  const open = async () => readPage(await fetch(link, { headers }));
  const send = async (form: PageForm, values: Record<string, string> = {}) => {
    const body = new URLSearchParams({ ...form.fields, ...values });
    return fetch(new URL(form.action, link), { method: 'POST', headers, body });
  };
  return {
    open,
    sendCode: async () => readPage(await send(formOf(await open(), '/code'))),
    readCode: (mailUrl, to) => readCode(mailUrl, to),
    async claim({ code, password, confirmation = password, accept = true }) {
      const form = formOf(await open(), '');
      const { acceptTerms, ...rest } = form.fields;
      const typed: Record<string, string> = { code, password, passwordConfirmation: confirmation };
      if (accept && acceptTerms !== undefined) typed.acceptTerms = 'true';
      return readPage(await send({ ...form, fields: rest }, typed));
    },
    awaitDownload: (deadlineMs = 60_000) =>
      pollFor(
        async () => {
          const page = await open();
          return page.forms.some(({ action }) => pathOf(action).endsWith('/download')) && page;
        },
        { deadlineMs, everyMs: 250, what: 'the page that offers the download' },
      ),
    async download(code) {
      const answer = await send(formOf(await open(), '/download'), { code });
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
  return { status, url, html, headers, forms: formsOf(html) };
}

/** The form that posts to the link itself, or to what is below it. */
function formOf(page: ClaimPage, below: '' | '/code' | '/download'): PageForm {
  const found = page.forms.find(({ action }) => new RegExp(`^/claim/[^/]+${below}$`).test(pathOf(action)));
  if (found) return found;
  throw new Error(`no form for /claim/…${below} (${page.status}): ${page.html.slice(-2_000)}`);
}

function pathOf(action: string): string {
  return new URL(action, 'http://claim.invalid').pathname;
}

const formShape = /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs;
const inputShape = /<input ([^>]*)>/g;

function formsOf(html: string): PageForm[] {
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
