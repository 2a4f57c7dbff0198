import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import { Action } from '../../parts/action.tsx';
import { useAddress } from '../../parts/address.ts';
import { Badge } from '../../parts/badge.tsx';
import { ChoiceField } from '../../parts/field.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { useParam } from '../../parts/param.ts';
import { Empty, QueryResult } from '../../parts/query-result.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { compareLines } from './line-differences.ts';
import styles from './terms.module.css';
import { termsTexts } from './terms-texts.ts';

type Version = SearchResultRow<'terms.list'>;

/** Shows one version as applicants read it, and its differences from another. */
export default function VersionPage() {
  const t = useTexts(termsTexts);
  const getLabel = useLabels();
  const id = useParam('termsId');
  const query = useQuery(createQuery('terms.list', { limit: 100 }));
  const version = query.data?.items.find((item) => item.id === id);
  return (
    <Page
      title={version === undefined ? t.version : `${getLabel(version.type).text} · ${version.version}`}
      besideTitle={version?.active === true && <Badge code="ACTIVE" />}
      actions={version !== undefined && <Activate version={version} />}
    >
      <QueryResult query={query}>
        {({ items }) =>
          version === undefined ? (
            <Empty title={t.missing} />
          ) : (
            <div className={styles.columns}>
              <Section title={t.preview}>
                <div className={styles.text}>{version.content}</div>
              </Section>
              <Differences
                version={version}
                others={items.filter((item) => item.type === version.type && item.id !== id)}
              />
            </div>
          )
        }
      </QueryResult>
    </Page>
  );
}

function Activate({ version }: { readonly version: Version }) {
  const t = useTexts(termsTexts);
  return (
    <Action
      procedure="terms.activate"
      label={t.activate}
      text={t.activateText}
      tone="primary"
      unavailable={version.active ? t.activateNot : undefined}
      toInput={() => ({ id: version.id })}
      done={() => t.activated}
    />
  );
}

function Differences(props: { readonly version: Version; readonly others: readonly Version[] }) {
  const t = useTexts(termsTexts);
  const { version, others } = props;
  const [{ against }, change] = useAddress();
  const other = others.find(({ id }) => id === against) ?? others.find(({ active }) => active) ?? others[0];
  if (other === undefined)
    return (
      <Section title={t.differences}>
        <p>{t.none}</p>
      </Section>
    );
  const lines = compareLines(other.content, version.content);
  const kindLabels = { same: undefined, added: t.added, removed: t.removed };
  return (
    <Section title={t.differences}>
      <ChoiceField
        label={t.against}
        value={other.id}
        choices={others.map(({ id, version: label }) => ({ value: id, label }))}
        onChange={({ target }) => change({ against: target.value }, { replace: true })}
      />
      {lines.every(({ kind }) => kind === 'same') && <p>{t.same}</p>}
      <div className={styles.text}>
        {lines.map(({ text, kind }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
          <p key={index} className={styles[kind]}>
            {kindLabels[kind] !== undefined && <span className="visually-hidden">{kindLabels[kind]}: </span>}
            {text}
          </p>
        ))}
      </div>
    </Section>
  );
}
