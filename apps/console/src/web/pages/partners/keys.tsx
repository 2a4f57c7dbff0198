import type { OperatorOutput, ProcedureInput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { partnerTexts } from './partner-texts.ts';
import styles from './partners.module.css';

type Key = ProcedureInput<'partners.addKey'>['key'];

/** Lists the keys by which a partner authenticates without a secret of ours. */
export function PartnerKeys({ partner }: { readonly partner: OperatorOutput<'partners.get'> }) {
  const t = useTexts(partnerTexts);
  const { id, keys } = partner;
  const add = (
    <Action
      procedure="partners.addKey"
      label={t.addKey}
      text={t.addKeyText}
      small
      toInput={(form) => ({ id, key: readKey(String(form.get('key')).trim()) })}
      done={() => t.keyAdded}
    >
      <TextArea label={t.key} name="key" required maxLength={4096} rows={6} />
    </Action>
  );
  return (
    <Section title={t.keys} actions={add}>
      <p className={styles.about}>{keys.length === 0 ? t.noKeys : t.keysAbout}</p>
      {keys.length > 0 && (
        <DataTable
          caption={t.keys}
          columns={[
            { id: 'algorithm', label: t.algorithm, cell: ({ algorithm }) => algorithm },
            { id: 'thumbprint', label: t.thumbprint, cell: ({ thumbprint }) => <code>{thumbprint}</code> },
            { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
            { id: 'removed', label: t.removed, cell: (key) => <RemoveKey id={id} partnerKey={key} /> },
          ]}
          rows={keys}
          rowId={(key) => key.id}
        />
      )}
    </Section>
  );
}

function RemoveKey(props: {
  readonly id: string;
  readonly partnerKey: OperatorOutput<'partners.get'>['keys'][number];
}) {
  const t = useTexts(partnerTexts);
  const { id, partnerKey } = props;
  if (partnerKey.removedAt !== null) return <Instant at={partnerKey.removedAt} />;
  return (
    <Action
      procedure="partners.removeKey"
      label={t.removeKey}
      text={t.removeKeyText}
      tone="danger"
      small
      toInput={() => ({ id, keyId: partnerKey.id })}
      done={() => t.keyRemoved}
    />
  );
}

/** Reads a JWK, which is a JSON object. Other text is sent unchanged, and the server checks it. */
function readKey(text: string): Key {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as Key;
  } catch {
    return text;
  }
}
