/** Members that a caller requested in addition to the plain document. */
export interface DisplayOptions {
  readonly showFungible?: boolean | undefined;
  readonly showUnverifiedCollections?: boolean | undefined;
  readonly showCollectionMetadata?: boolean | undefined;
  readonly showInscription?: boolean | undefined;
}

/** Whether the stored document is the answer without any change. */
export const isPlain = (options: DisplayOptions): boolean =>
  !(
    options.showFungible ||
    options.showUnverifiedCollections ||
    options.showCollectionMetadata ||
    options.showInscription
  );
