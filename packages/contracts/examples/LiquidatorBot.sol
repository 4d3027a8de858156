// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PRIME_ORDERS} from "../IPrimeOrders.sol";

/// @title Pays its keepers for liquidating accounts.
/// @notice A keeper who names accounts that are below their maintenance margin has the order book liquidate them, and may claim a bounty once it did.
/// @dev The write can not tell whether it worked: it runs in the next block. So the bounty is claimed later, against the state. Only
/// the first one who named an account in its trouble is paid, and who is paid is asked to come (pull), not sent to.
///
/// Keepers are whom the owner knows. No read tells a liquidation from a rescue: a bounty for anybody would be an income for whoever lets a small account
/// of his own fall below its margin, names it, and pays in again within the same block.
contract LiquidatorBot {
    uint256 public immutable bounty;
    address public immutable owner;

    struct Attempt {
        address keeper;
        /// Of the call. Its write runs in the next block, and reads show that one block later.
        uint64 blockNumber;
        /// What it was asked for.
        uint64 ticket;
    }

    mapping(address => Attempt) public attempts;
    mapping(address => bool) public isKeeper;
    uint256 private constant VISIBLE_AFTER = 2;

    event Poked(address indexed account, address indexed keeper, uint64 ticket);
    event Paid(address indexed account, address indexed keeper, uint256 amount);

    error NotOwner();
    error NotKeeper();
    error NothingToClaim(address account);
    error TooEarly(uint256 blockNumber);
    error StillLiquidatable(address account);
    error PaymentFailed();

    constructor(uint256 bounty_, address[] memory keepers) payable {
        bounty = bounty_;
        owner = msg.sender;
        for (uint256 index = 0; index < keepers.length; index++) isKeeper[keepers[index]] = true;
    }

    receive() external payable {}

    /// @notice Which of these can be liquidated now.
    function liquidatable(address[] calldata accounts) external view returns (bool[] memory found) {
        found = new bool[](accounts.length);
        for (uint256 index = 0; index < accounts.length; index++)
            found[index] = PRIME_ORDERS.isLiquidatable(accounts[index]);
    }

    /// @notice Liquidates what can be, and passes over the rest: each write costs its gas whether it succeeds or not.
    function poke(address[] calldata accounts) external returns (uint256 count) {
        if (!isKeeper[msg.sender]) revert NotKeeper();
        for (uint256 index = 0; index < accounts.length; index++) {
            address account = accounts[index];
            if (!PRIME_ORDERS.isLiquidatable(account) || _isWaiting(account)) continue;
            uint64 ticket = PRIME_ORDERS.liquidate(account);
            attempts[account] = Attempt(msg.sender, uint64(block.number), ticket);
            emit Poked(account, msg.sender, ticket);
            count++;
        }
    }

    /// @notice Pays the keeper of an account that is healthy again.
    function claim(address account) external {
        Attempt memory attempt = attempts[account];
        if (attempt.keeper == address(0)) revert NothingToClaim(account);
        if (block.number < attempt.blockNumber + VISIBLE_AFTER) revert TooEarly(block.number);
        if (PRIME_ORDERS.isLiquidatable(account)) revert StillLiquidatable(account);
        // Gone before anybody is paid, so that a second call finds nothing.
        delete attempts[account];
        (bool ok, ) = attempt.keeper.call{value: bounty}("");
        if (!ok) revert PaymentFailed();
        emit Paid(account, attempt.keeper, bounty);
    }

    function setKeeper(address keeper, bool allowed) external {
        if (msg.sender != owner) revert NotOwner();
        isKeeper[keeper] = allowed;
    }

    function drain() external {
        if (msg.sender != owner) revert NotOwner();
        (bool ok, ) = owner.call{value: address(this).balance}("");
        if (!ok) revert PaymentFailed();
    }

    /// @dev A write that is on its way already; the same again would only cost gas.
    function _isWaiting(address account) private view returns (bool) {
        Attempt memory attempt = attempts[account];
        return attempt.keeper != address(0) && block.number < attempt.blockNumber + VISIBLE_AFTER;
    }
}
