// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// OpenZeppelin's ERC-20, of which everybody takes as much as a run needs.
contract LoadToken is ERC20("Load Token", "LOAD") {
    function mint(uint256 amount) external {
        _mint(msg.sender, amount);
    }
}
