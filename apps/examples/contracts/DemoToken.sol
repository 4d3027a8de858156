// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ERC-20 as OpenZeppelin ships it, with the whole supply given to whoever deploys it.
contract DemoToken is ERC20 {
    constructor(uint256 supply) ERC20("Demo Token", "DEMO") {
        _mint(msg.sender, supply);
    }
}
