import { buildDocsSite } from '@rubrica/build';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { loadPages } from './support/docs-pages.ts';
import { arrangeSuccess } from './support/documented-calls.ts';
import { partner } from './support/fake-state.ts';
import { baseUrl } from './support/fake-tokens.ts';
import { testGateway } from './support/gateway.ts';
import { isThere, type Runner, runners } from './support/sample-runners.ts';

const gateway = await disposeAfterAll(testGateway({ DOCS_SITE: await buildDocsSite() }));
arrangeSuccess(gateway);
const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = partner;
const env: Record<string, string> = { TOKEN: await gateway.token(), CLIENT_ID, CLIENT_SECRET };
const pages = await loadPages(gateway.url);
const samples = [...pages]
  .filter(([path]) => path.startsWith('/docs/en/reference/'))
  .flatMap(([path, { codes }]) =>
    codes
      .filter(({ language }) => language !== 'json')
      .map(({ language, text }) => ({
        operationId: path.split('/').at(-1) ?? '',
        language,
        // The documentation names the address under which partners know the service.
        text: text.replaceAll(baseUrl, gateway.url),
      })),
  );

const least: Readonly<Record<Runner, number>> = { bash: 34, typescript: 29, python: 31, java: 31 };

// `.ci/run` installs all of them; where one is missing the test says so by being skipped.
const installed = (Object.keys(runners) as Runner[]).map((language) => ({
  language,
  isMissing: !isThere(language),
}));

test.for(installed)(
  'every call of the reference in $language can be pasted, and is taken',
  async ({ language, isMissing }, { skip }) => {
    skip(isMissing, `the tools for ${language} are not installed`);
    const own = samples.filter((sample) => sample.language === language);
    expect(own.length).toBeGreaterThanOrEqual(least[language]);
    expect(await runners[language](own, env)).toEqual([]);
  },
);
