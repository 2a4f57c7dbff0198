import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { CheckField } from '../../parts/check-field.tsx';
import { TextField } from '../../parts/field.tsx';
import { useTexts } from '../../texts/texts.ts';
import { logoTexts } from './logo-texts.ts';
import styles from './partners.module.css';

type Partner = OperatorOutput<'partners.get'>;

/**
 * Shows a picture as applicants see it: on white, in a box of fixed height. The policy allows `blob:` and no `data:`
 * addresses.
 */
function LogoPicture({ picture, name }: { readonly picture: Blob; readonly name: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(picture);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  return <span className={styles.logo}>{address !== undefined && <img src={address} alt={name} />}</span>;
}

/** Shows the partner's current logo. */
export function PartnerLogo({ partner }: { readonly partner: Pick<Partner, 'id' | 'name' | 'logo'> }) {
  const t = useTexts(logoTexts);
  const { id, name, logo } = partner;
  // Another digest is another element, which loads its own picture.
  return logo === null ? t.none : <CurrentLogo key={logo.sha256} id={id} name={name} />;
}

function CurrentLogo({ id, name }: Pick<Partner, 'id' | 'name'>) {
  const { data } = useQuery({ ...createQuery('partners.logo', { id }), staleTime: 0 });
  return data ? <StoredPicture base64={data.base64} type={data.type} name={name} /> : '…';
}

/** Shows the logo that an administrator proposes, before it is stored. */
export function ProposedLogo({ base64, name }: { readonly base64: string; readonly name: string }) {
  return <StoredPicture base64={base64} type="" name={name} />;
}

function StoredPicture(props: { readonly base64: string; readonly type: string; readonly name: string }) {
  const { base64, type, name } = props;
  const [picture, setPicture] = useState<Blob>();
  useEffect(() => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    setPicture(new Blob([bytes], { type }));
  }, [base64, type]);
  return picture && <LogoPicture picture={picture} name={name} />;
}

/** Renders the form field: a new picture, with a preview before it is sent, or the removal. */
export function LogoField({ partner }: { readonly partner?: Partner | undefined }) {
  const t = useTexts(logoTexts);
  const [file, setFile] = useState<File>();
  return (
    <>
      <TextField
        label={t.logo}
        hint={t.hint}
        name="logo"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => setFile(event.currentTarget.files?.[0])}
      />
      {file !== undefined && <LogoPicture picture={file} name={t.preview} />}
      {partner !== undefined && partner.logo !== null && <CheckField label={t.remove} name="removeLogo" />}
    </>
  );
}
