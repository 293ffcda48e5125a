export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [] },
};
