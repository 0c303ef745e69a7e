/** Files of the image beside the bundle. */
export const imageTexts = {
  sbom: 'sbom.cdx.json',
  notices: 'THIRD-PARTY-NOTICES.txt',
  page: 'page.json',
} as const;
