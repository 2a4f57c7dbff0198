import type { OperatorOutput } from '../../client/trpc.ts';
import {
  certificateTypes,
  furtherEventTypes,
  keyTypes,
  passwordConfigurations,
  reviewPolicies,
  scopes,
} from '../../data/inputs.data.ts';
import { CheckField } from '../../parts/check-field.tsx';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { LogoField } from './logo.tsx';
import { partnerTexts } from './partner-texts.ts';
import styles from './partners.module.css';
import { QuotaFields } from './quota-fields.tsx';

interface PartnerFieldsProps {
  readonly partner?: OperatorOutput<'partners.get'>;
}

/** The settings of a partner as fields of a form: of one that is there, or of a new one. */
export function PartnerFields({ partner }: PartnerFieldsProps) {
  const t = useTexts(partnerTexts);
  const labelOf = useLabels();
  const choice = (name: 'reviewPolicy' | 'keyType' | 'passwordConfiguration', codes: readonly string[]) => ({
    name,
    choices: codes.map((value) => ({ value, label: labelOf(value).text })),
    defaultValue: partner?.[name],
  });
  return (
    <>
      <TextField label={t.name} name="name" required maxLength={100} defaultValue={partner?.name} />
      <TextField label={t.email} name="email" type="email" required defaultValue={partner?.email} />
      <LogoField partner={partner} />
      <div className={styles.pair}>
        <ChoiceField label={t.review} {...choice('reviewPolicy', reviewPolicies)} />
        <ChoiceField label={t.keyType} {...choice('keyType', keyTypes)} />
      </div>
      <ChoiceField label={t.password} {...choice('passwordConfiguration', passwordConfigurations)} />
      <QuotaFields partner={partner} />
      <AfterIssuance partner={partner} />
      <Rights partner={partner} />
    </>
  );
}

interface ChecksProps {
  readonly legend: string;
  readonly name: string;
  readonly codes: readonly string[];
  readonly isTicked: (code: string) => boolean;
}

/** A list of codes, of which some are ticked. */
function Checks({ legend, name, codes, isTicked }: ChecksProps) {
  const labelOf = useLabels();
  return (
    <fieldset className={styles.checks}>
      <legend>{legend}</legend>
      {codes.map((code) => (
        <CheckField
          key={code}
          label={labelOf(code).text}
          name={name}
          value={code}
          defaultChecked={isTicked(code)}
        />
      ))}
    </fieldset>
  );
}

/** A new partner's fields show what it gets where nobody says anything. */
function AfterIssuance({ partner }: { readonly partner: PartnerFieldsProps['partner'] | undefined }) {
  const t = useTexts(partnerTexts);
  const { events, holderReminders }: { readonly [name in 'events' | 'holderReminders']: readonly string[] } =
    partner ?? { events: [], holderReminders: ['TRADITIONAL_SIGNATURE'] };
  return (
    <>
      <Checks
        legend={t.events}
        name="events"
        codes={furtherEventTypes}
        isTicked={(code) => events.includes(code)}
      />
      <Checks
        legend={t.holderReminders}
        name="holderReminders"
        codes={certificateTypes}
        isTicked={(code) => holderReminders.includes(code)}
      />
      <CheckField
        label={t.holderRenewal}
        hint={t.renewalHint}
        name="holderRenewal"
        defaultChecked={partner?.holderRenewal}
      />
    </>
  );
}

function Rights({ partner }: { readonly partner: PartnerFieldsProps['partner'] | undefined }) {
  const t = useTexts(partnerTexts);
  const hasScope = (scope: string) => partner === undefined || partner.scopes.some((one) => one === scope);
  return (
    <>
      <Checks legend={t.scopes} name="scopes" codes={scopes} isTicked={hasScope} />
      <CheckField
        label={t.legacy}
        hint={t.legacyHint}
        name="legacyPkcs12"
        defaultChecked={partner?.legacyPkcs12}
      />
      <CheckField
        label={t.envelope}
        hint={t.envelopeHint}
        name="envelope"
        defaultChecked={partner?.envelope}
      />
      {partner !== undefined && (
        <>
          <CheckField label={t.enabled} name="enabled" defaultChecked={partner.enabled} />
          <CheckField
            label={t.secretEnabled}
            hint={t.secretEnabledHint}
            name="clientSecretEnabled"
            defaultChecked={partner.clientSecretEnabled}
          />
        </>
      )}
    </>
  );
}
