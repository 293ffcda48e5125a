// `npm run pack`: writes the tarballs of all packages to `tarballs/`, and prints how to install them.
import { join } from "node:path";
import { packPackages, repository } from "./pack-packages.ts";

const folder = join(repository, "tarballs");
const tarballs = await packPackages(folder);
process.stdout.write(`${tarballs.length} packages are in ${folder}. In your project, run one of these:

  npm install ${folder}/lamplight-client-*.tgz     the client
  npm install ${folder}/lamplight-testing-*.tgz    the testing package
  npm install ${folder}/*.tgz                      all packages, with the command lamplight
`);
