import { createBilingual } from '../../texts/texts.ts';

export const logoTexts = createBilingual({
  en: {
    logo: 'Logo',
    hint: 'Applicants see it beside the name. PNG, JPEG or WebP, at most 48 KiB and 800 × 400 pixels.',
    preview: 'The logo that was chosen',
    remove: 'Take the logo away',
    none: 'none',
  },
  es: {
    logo: 'Logotipo',
    hint: 'Los solicitantes lo ven junto al nombre. PNG, JPEG o WebP, máximo 48 KiB y 800 × 400 píxeles.',
    preview: 'El logotipo elegido',
    remove: 'Quitar el logotipo',
    none: 'ninguno',
  },
});
