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

/** Renders the settings of an existing or new partner as form fields. */
export function PartnerFields({ partner }: PartnerFieldsProps) {
  const t = useTexts(partnerTexts);
  const getLabel = useLabels();
  const choice = (name: 'reviewPolicy' | 'keyType' | 'passwordConfiguration', codes: readonly string[]) => ({
    name,
    choices: codes.map((value) => ({ value, label: getLabel(value).text })),
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

/** Renders a list of codes as check boxes. */
function Checks({ legend, name, codes, isTicked }: ChecksProps) {
  const getLabel = useLabels();
  return (
    <fieldset className={styles.checks}>
      <legend>{legend}</legend>
      {codes.map((code) => (
        <CheckField
          key={code}
          label={getLabel(code).text}
          name={name}
          value={code}
          defaultChecked={isTicked(code)}
        />
      ))}
    </fieldset>
  );
}

/** Shows the defaults for a new partner. */
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
